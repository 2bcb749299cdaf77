// .ci/run, the project's check: it ends when it cannot run with the versions of Node.js and npm that it names.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const script = readFileSync(join(import.meta.dirname, '../../.ci/run'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A function of the script, as it is written there. */
const functionOf = (name: string) => {
  const [text] = new RegExp(`^${name}\\(\\) \\{$[\\s\\S]*?^\\}$`, 'm').exec(script) ?? []
  if (text === undefined) throw new Error(`.ci/run has no function ${name}`)
  return text
}

/** Runs a command with Node.js 18 and npm 9. The machine has Node.js 20 and npm 10. @param install what `npm install` does */
function runWith(install: string) {
  const scratch = mkdtempSync(join(folder, 'scratch-'))
  const program = (name: string, body: string) =>
    writeFileSync(join(scratch, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  program('node', 'echo v20.1.0')
  // npm install --loglevel=error --no-save --prefix FOLDER PACKAGE
  program('npm', `[ "$1" = install ] || { echo 10.1.0; exit; }\nbin=$5/node_modules/.bin\n${install}`)
  const functions = ['tool', 'wanted', 'with'].map(functionOf).join('\n')
  const [, options = ''] = /^(set -.*)$/m.exec(script) ?? []
  const text = `${options}\nscratch=${scratch}\n${functions}\nwith 18 9 echo it runs\n`
  const env = { PATH: `${scratch}:${process.env.PATH}` }
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', text], { env, encoding: 'utf8' })
  return { isPassed: status === 0, stdout, stderr }
}

/** Puts a program that tells its version into the folder of the package. */
const brings = (version: string) =>
  `mkdir -p $bin && printf '#!/bin/sh\\necho ${version}\\n' > $bin/\${6%@*} && chmod 755 $bin/*`

describe('the check', () => {
  it('runs with the wanted versions', () => {
    const install = `case $6 in npm@9) ${brings('9.9.4')} ;; node@18) ${brings('v18.20.8')} ;; esac`
    expect(runWith(install)).toEqual({ isPassed: true, stdout: 'it runs\n', stderr: '' })
  })

  it.each([
    ['npm cannot be installed', 'exit 1', 'npm@9 cannot be installed\n'],
    [
      "the package of Node.js brings none, so that the machine's own would run",
      `[ $6 = node@18 ] || { ${brings('9.9.4')}; }`,
      'node 18 is wanted, and v20.1.0 would run\n',
    ],
    [
      'Node.js comes in another version',
      `case $6 in npm@9) ${brings('9.9.4')} ;; *) ${brings('v180.0.0')} ;; esac`,
      'node 18 is wanted, and v180.0.0 would run\n',
    ],
  ])('fails when %s', (_, install, why) => {
    expect(runWith(install)).toEqual({ isPassed: false, stdout: '', stderr: why })
  })
})
