// Programs that tests of docs/ use where they are installed, and what nginx needs to run in a folder of the test.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Debian installs nginx in a folder that only root has in PATH. */
export const programPath = `${process.env.PATH}:/usr/sbin:/sbin`

/** Also says so, since a test that needs the programs is then skipped. */
export function isMissing(...programs: readonly string[]): boolean {
  const folders = programPath.split(':')
  const missing = programs.filter((name) => !folders.some((folder) => existsSync(join(folder, name))))
  for (const name of missing) process.stderr.write(`${name} is not installed: its checks are skipped\n`)
  return missing.length > 0
}

const certificateIn = (folder: string) => ({
  key: join(folder, 'key.pem'),
  certificate: join(folder, 'certificate.pem'),
})

/** Writes a certificate for `nginxAround`. */
export function certificateFor(folder: string): void {
  const { key, certificate } = certificateIn(folder)
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=bot.example.com', '-days', '1']
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
}

/** Writes a configuration with this server block, which listens on `folder/443` and writes its log in the folder. @returns its file */
export function nginxAround(folder: string, serverBlock: string): string {
  const { key, certificate } = certificateIn(folder)
  const block = serverBlock
    .replace(/(ssl_certificate) .*;/, `$1 ${certificate};`)
    .replace(/(ssl_certificate_key) .*;/, `$1 ${key};`)
    .replace('/var/log/nginx/error.log', join(folder, 'server.log'))
    .replaceAll(/listen (\d+)/g, `listen unix:${folder}/$1`)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name), { recursive: true })
    return `${name}_temp_path ${join(folder, name)};`
  })
  const http = ['access_log off;', ...folders, block].join('\n')
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\n${http}\n}\n`)
  return file
}
