// The other process of the tests: opens the database `pglite:<folder>`, or takes only the lock of `<folder>`, says so, and
// keeps it until it is ended.

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
// Said last: whoever reads it may end this process at once.
process.stdout.write('open\n')
// Neither keeps a process running.
setInterval(() => undefined, 60_000)
