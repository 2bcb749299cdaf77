// The HTTP server of Node.js. An `import` of `node:http` would read all exports, one of which, `WebSocket`, loads Node's copy of undici:
// 14 MB.

export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
