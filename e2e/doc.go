// Package e2e holds the tests of the whole: the real binary, the real
// extension, a real Chromium, spoken to over MCP as an agent would. A test's
// name carries the number of the behaviour that it holds.
//
// Most tests share one server and one browser, each as an agent of its own; a
// test that looks at what all agents share starts its own.
package e2e
