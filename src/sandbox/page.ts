// Serves the files of the chat page in `page/`, at `/` and `/page/...`. The scripts of the page call `/api` themselves.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import type { Handler } from './http.ts'

const folder = join(import.meta.dirname, 'page')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Only the page's own scripts run, whatever a message, a file name or a media file contains. */
const policy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The file at a path; undefined for a path outside the folder or of an unknown type. */
function fileOf(pathname: string): string | undefined {
  if (pathname === '/') return join(folder, 'index.html')
  if (pathname === '/favicon.ico') return join(folder, 'icon.svg')
  if (!pathname.startsWith('/page/')) return undefined
  try {
    const path = join(folder, decodeURIComponent(pathname.slice('/page/'.length)))
    const inside = path.startsWith(folder + sep) && !path.includes('\0')
    return inside && types[extname(path)] ? path : undefined
  } catch {
    return undefined
  }
}

async function sendFile(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
  const body = await readFile(path).catch(() => undefined)
  if (!body) return void res.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
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
  return async (req, res, url) => {
    const { pathname } = url
    if (pathname !== '/' && pathname !== '/favicon.ico' && !pathname.startsWith('/page/')) return false
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { allow: 'GET, HEAD' }).end()
      return true
    }
    await sendFile(req, res, fileOf(pathname) ?? '')
    return true
  }
}
