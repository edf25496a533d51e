// Runs the protocol's conformance suite, also on a Node without fs.globSync, which
// only its other commands use.
import fs from 'node:fs';
import { register } from 'node:module';

if (!fs.globSync) {
  const shim = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];";
  const hook = `export const resolve = (name, context, next) => name === 'fs' && context.parentURL.includes('/conformance/')
    ? { url: 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(shim)}), shortCircuit: true } : next(name, context);`;
  register('data:text/javascript,' + encodeURIComponent(hook));
}
await import('./node_modules/@modelcontextprotocol/conformance/dist/index.js');
