// Runs its arguments with a Node.js that can run this project: `node src/launch.js [options] file [arguments]`.
// Every script of package.json goes through it. It is plain JavaScript that Node.js 18 can run, and it imports nothing of
// the project. The binary is found by its package, not by `node_modules/.bin/node`: npm 9 and 10 leave that link out, since
// the packages of all platforms declare the same name.

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const neededMajor = 24

/** @returns the path of a suitable Node.js; undefined when there is none */
function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= neededMajor) return process.execPath
  try {
    const require = createRequire(import.meta.url)
    return join(
      dirname(require.resolve(`node-${process.platform}-${process.arch}/package.json`)),
      'bin',
      'node',
    )
  } catch {
    return undefined
  }
}

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(
    `Node.js ${neededMajor} or newer is needed, ${reason}: install it from https://nodejs.org and run this command again.\n`,
  )
  process.exit(1)
}

/** Compiled code is kept between starts, where the folder can be written: half of the processor time of a start. */
const compiled = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/.cache/compiled')

/** @param {string} node */
function run(node) {
  // Tools that start `node` by name get the same one.
  const path = [dirname(node), process.env.PATH].filter(Boolean).join(delimiter)
  const env = { NODE_COMPILE_CACHE: compiled, ...process.env, PATH: path }
  // In this process where that is possible: a second one costs 45 MB.
  if (node === process.execPath && process.execve) process.execve(node, [node, ...process.argv.slice(2)], env)
  const child = spawn(node, process.argv.slice(2), { stdio: 'inherit', env })
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', () => fail(`and the one of this project (${node}) cannot be started`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

const node = findNode()
if (node) run(node)
else fail(`this is ${process.version}, and none was installed for ${process.platform}-${process.arch}`)
