// The second process of the lock tests: opens the database `pglite:<folder>`, or takes only the lock of `<folder>`, prints a line, and holds
// it until the process is killed.

import { openDatabase } from '../../../src/db/client.ts'
import { lockFolder } from '../../../src/db/folder-lock.ts'

const what = process.argv[2] ?? ''
const opening = what.startsWith('pglite:') ? openDatabase(what).then(({ close }) => close) : lockFolder(what)
const close = await opening.catch((error: unknown) => {
  process.stderr.write(`${error}\n`)
  process.exit(1)
})
process.once('SIGTERM', async () => {
  await close()
  process.exit(0)
})
// This line is printed last, since the test may kill this process as soon as it has read it.
process.stdout.write('open\n')
// The timer keeps the process running; neither the database nor the lock does.
setInterval(() => undefined, 60_000)
