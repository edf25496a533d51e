// Package fleet lets agents work in the browsers of other machines, over NATS.
//
// A host offers browsers: it stands in the directory, and takes sessions. An
// agent's side finds a browser there and opens a bridge to it, which is a
// CDP address for one client. Between the two runs a link: numbered and sealed records
// on two subjects of NATS, which decides who may speak and can read nothing.
//
//	agent ─CDP─ bridge ─ link ══ NATS ══ link ─ host ─CDP─ relay of the browser
//
// The subjects, where HOST and AGENT are made of public keys (see idOf):
//
//	tabrelay.host.HOST.open        greetings of agents
//	tabrelay.host.HOST.s.SESSION   records from an agent
//	tabrelay.agent.AGENT.SESSION   records to it, and the answer to its greeting
//	$KV.tabrelay.MACHINE.NAME.HOST the directory
package fleet
