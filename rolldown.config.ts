// `npm run build` bundles the programs of the app into the folder `built`. That starts in three fifths of the processor time: Node.js
// finds and reads 88 files instead of 803. Programs have the same paths there as in `src` (src/folders.ts).

import type { RolldownOptions } from 'rolldown'

const programs = [
  'main',
  'cli/admin',
  'cli/audit',
  'cli/catalog-list',
  'cli/doctor',
  'cli/gateway-check',
  'cli/migrate',
  'cli/setup',
]
/** The program that the app itself starts, and its second thread. */
const parts = ['media/decoder', 'media/decoder-watch']

export default {
  cwd: import.meta.dirname,
  platform: 'node',
  input: Object.fromEntries([...programs, ...parts].map((path) => [path, `src/${path}.ts`])),
  external: [
    // Native code, WebAssembly and single large files, which are loaded when they are first needed.
    'sharp',
    '@electric-sql/pglite',
    'libheif-js',
    'libopus-wasm',
    'mediabunny',
    'unpdf',
    // Its node-fetch uses a deprecated module of Node.js, which warns of that at every start unless it is used below node_modules.
    'grammy',
  ],
  // Followed only when Node.js is started with --enable-source-maps, which adds half of the time that loading takes.
  output: { dir: 'built', cleanDir: true, sourcemap: true },
} satisfies RolldownOptions
