#!/usr/bin/env node
// Finds the program in the package for this platform and runs it in its own place.
"use strict";

const { spawn } = require("node:child_process");

const name = `@tabrelay/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/tabrelay${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`tabrelay: ${name} is not installed. Either there is no tabrelay for this platform, or optional dependencies were left out: install again without --omit=optional.`);
  process.exit(1);
}

const args = process.argv.slice(2);
if (process.execve) {
  process.removeAllListeners("warning"); // that it is new
  process.execve(program, [program, ...args], process.env);
}
const child = spawn(program, args, { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`tabrelay: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
