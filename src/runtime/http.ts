// The HTTP server of Node.js. An `import` of `node:http` reads all its exports, of which `WebSocket` loads Node's copy of undici: 14 MB.

export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
