// Serves the chat page: the files of the folder `page`, at `/` and `/page/...`. Its TypeScript is served as JavaScript,
// without a build step. The page itself talks to `/api`.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join, sep } from 'node:path'
import type { Handler } from './http.ts'

const folder = join(import.meta.dirname, 'page')
const modules = join(import.meta.dirname, '../../node_modules')

/** The files by their address: those of the folder, and the modules of libraries that `index.html` maps. */
const served: ReadonlyMap<string, string> = new Map([
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => [`/page/${name.replaceAll(sep, '/')}`, join(folder, name)] as const,
  ),
  ['/', join(folder, 'index.html')],
  ['/favicon.ico', join(folder, 'icon.svg')],
  ['/page/lib/htm.mjs', join(modules, 'htm/dist/htm.mjs')],
  ['/page/lib/htm-preact.mjs', join(modules, 'htm/preact/index.mjs')],
  ['/page/lib/preact.mjs', join(modules, 'preact/dist/preact.mjs')],
  ['/page/lib/hooks.mjs', join(modules, 'preact/hooks/dist/hooks.mjs')],
])

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const importMap = /<script type="importmap">([\s\S]*?)<\/script>/.exec(
  readFileSync(join(folder, 'index.html'), 'utf8'),
)
const mapHash = createHash('sha256')
  .update(importMap?.[1] ?? '')
  .digest('base64')

/** Allows only scripts of this server and the import map, whatever a message, a file name or a media file contains. */
const policy = [
  "default-src 'self'",
  `script-src 'self' 'sha256-${mapHash}'`,
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Types become spaces, so lines and columns in the browser are those of the source. Node.js prints an experimental warning
 * at the first call, although it runs TypeScript files without one; it would be the first line of `npm run sandbox`.
 */
function stripTypes(source: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Reads each file at each request, so that a reload shows an edit. */
export function createPage(): Handler {
  return async (_, res, { pathname }) => {
    const path = served.get(pathname)
    if (path === undefined && !pathname.startsWith('/page/')) return false
    const type = types[extname(path ?? '')]
    if (path === undefined || type === undefined) {
      res.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
      return true
    }
    const source = await readFile(path)
    const headers = {
      'cache-control': 'no-cache',
      'content-type': type,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    }
    res.writeHead(200, headers).end(extname(path) === '.ts' ? stripTypes(String(source)) : source)
    return true
  }
}
