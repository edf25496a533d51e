// Package e2e holds the tests of the whole: the real binary, the real
// extension, a real Chromium, spoken to over MCP as an agent would. A test's
// name carries the number of the behaviour that it holds: TestB55… is about
// scripts. The numbers are those of one list of what a browser tool owes its
// users: 1 to 12 pages and navigation, 13 to 27 snapshots and refs, 28 to 39 input,
// 40 to 46 dialogs, file choosers and popups, 47 to 49 tabs, 50 to 56 console,
// network, waiting and scripts, 57 to 60 files, 61 to 70 the server and what
// outlives what, 71 to 75 what agents stumble over, 76 and up what came in doubt
// later.
//
// Most tests share one server and one browser, each as an agent of its own; a
// test that looks at what all agents share starts its own.
package e2e
