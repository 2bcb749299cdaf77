// Serves the chat page: the files of the folder `page`, at `/` and `/page/...`. Its TypeScript is served as JavaScript,
// without a build step. The page itself talks to `/api`.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join, sep } from 'node:path'
import type { Handler } from './http.ts'

const folder = join(import.meta.dirname, 'page')
const modules = join(import.meta.dirname, '../../node_modules')

/** The modules of libraries that `index.html` maps, by the last part of their address. */
const libraries: Readonly<Record<string, string>> = {
  'htm.mjs': 'htm/dist/htm.mjs',
  'htm-preact.mjs': 'htm/preact/index.mjs',
  'preact.mjs': 'preact/dist/preact.mjs',
  'hooks.mjs': 'preact/hooks/dist/hooks.mjs',
}

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

/** @returns undefined for a path outside the folder or with an extension that is not served */
function fileOf(pathname: string): string | undefined {
  if (pathname === '/') return join(folder, 'index.html')
  if (pathname === '/favicon.ico') return join(folder, 'icon.svg')
  if (!pathname.startsWith('/page/')) return undefined
  const library = libraries[pathname.slice('/page/lib/'.length)]
  if (library && pathname.startsWith('/page/lib/')) return join(modules, library)
  try {
    const path = join(folder, decodeURIComponent(pathname.slice('/page/'.length)))
    const inside = path.startsWith(folder + sep) && !path.includes('\0')
    return inside && types[extname(path)] ? path : undefined
  } catch {
    return undefined
  }
}

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

interface Asset {
  readonly source: Buffer
  readonly body: Buffer
  readonly etag: string
}

function assetOf(path: string, source: Buffer): Asset {
  const body = extname(path) === '.ts' ? Buffer.from(stripTypes(source.toString())) : source
  return { source, body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}

/** Reads a file at each request, so that a reload shows an edit, but strips its types only when it has changed. */
function createAssets(): (path: string) => Promise<Asset | undefined> {
  const known = new Map<string, Asset>()
  return async (path) => {
    const source = await readFile(path).catch(() => undefined)
    if (!source) return undefined
    const cached = known.get(path)
    const asset = cached?.source.equals(source) ? cached : assetOf(path, source)
    known.set(path, asset)
    return asset
  }
}

function send(req: IncomingMessage, res: ServerResponse, path: string, { body, etag }: Asset): void {
  const headers = {
    etag,
    'cache-control': 'no-cache',
    'content-type': types[extname(path)] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
  if (req.headers['if-none-match'] === etag) return void res.writeHead(304, headers).end()
  res.writeHead(200, { ...headers, 'content-length': body.length })
  res.end(req.method === 'HEAD' ? undefined : body)
}

export function createPage(): Handler {
  const assetAt = createAssets()
  return async (req, res, { pathname }) => {
    if (pathname !== '/' && pathname !== '/favicon.ico' && !pathname.startsWith('/page/')) return false
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { allow: 'GET, HEAD' }).end()
      return true
    }
    const path = fileOf(pathname)
    const asset = path && (await assetAt(path))
    if (asset) send(req, res, path, asset)
    else res.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
    return true
  }
}
