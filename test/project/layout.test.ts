import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  childOf,
  importsOf,
  type Node,
  nameOf,
  placeOf,
  propertyOf,
  type Source,
  sources,
} from '../support/project/source.ts'

/** The rooms of src. A room may import only rooms of lower rows; rooms of one row do not import each other. */
const rows: readonly (readonly string[])[] = [
  ['main', 'sandbox'],
  ['app'],
  ['cli', 'compose'],
  ['bot', 'http'],
  ['operator', 'config'],
  ['privacy'],
  ['orders', 'chat', 'payments', 'updates'],
  ['sales'],
  ['ledger'],
  ['users'],
  ['gateway', 'telegram', 'media', 'form'],
  ['texts'],
  ['db'],
  ['catalog'],
  ['metrics'],
  ['runtime'],
  ['money', 'text-keys', 'folders'],
]

/** The room of a file: `bot/cards/card.ts` is in `bot`, `money.ts` is a room of its own. */
const roomOf = (path: string): string => path.split('/')[0]?.replace(/\.ts$/, '') ?? ''
const rowOf = (room: string): number => rows.findIndex((row) => row.includes(room))

interface Import {
  readonly place: string
  readonly path: string
  readonly room: string
  readonly typeOnly: boolean
  /** A path below src, or the name of a package. */
  readonly from: string
  readonly local: boolean
}

const imports: readonly Import[] = sources.flatMap((source) =>
  importsOf(source).map(({ node, from, typeOnly }) => {
    const local = from.startsWith('.')
    return {
      place: placeOf(source, node),
      path: source.path,
      room: roomOf(source.path),
      typeOnly,
      from: local ? posix.join(posix.dirname(source.path), from) : from,
      local,
    }
  }),
)

const shown = ({ place, from }: Import) => `${place} imports ${from}`

const isOf = (name: string) => (one: Import) =>
  !one.local && (one.from === name || one.from.startsWith(`${name}/`))

/** The places where the code matches the pattern, except in these files and folders. */
function found(pattern: RegExp, except: readonly string[] = []): string[] {
  return sources
    .filter(({ path }) => !except.some((own) => path === own || path.startsWith(`${own}/`)))
    .flatMap((source) =>
      [...source.text.matchAll(new RegExp(pattern, 'g'))].map(
        (match) => `${placeOf(source, { type: '', start: match.index, end: 0 })} ${match[0]}`,
      ),
    )
}

describe('the rooms of src', () => {
  it('are all in the table', () => {
    expect(sources.map(({ path }) => roomOf(path)).filter((room) => rowOf(room) < 0)).toEqual([])
  })

  const across = imports.filter((one) => one.local && roomOf(one.from) !== one.room)
  const upward = across.filter((one) => rowOf(roomOf(one.from)) <= rowOf(one.room))

  it('import only downward', () => {
    expect(upward.map(shown)).toEqual([])
  })

  it('import nothing in a circle', () => {
    const next = Map.groupBy(
      imports.filter((one) => one.local),
      (one) => one.path,
    )
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (path: string, way: readonly string[]) => {
      if (way.includes(path)) return void circles.push([...way.slice(way.indexOf(path)), path].join(' -> '))
      if (done.has(path)) return
      for (const { from } of next.get(path) ?? []) visit(from, [...way, path])
      done.add(path)
    }
    for (const { path } of sources) visit(path, [])
    expect(circles).toEqual([])
  })
})

describe('imports and uses', () => {
  const outside = (rooms: readonly string[]) => (one: Import) => !rooms.includes(one.room)

  it('only bot, telegram, orders/deliver, http, updates and compose import grammY, and sandbox its types', () => {
    const users = imports.filter(isOf('grammy'))
    const wrong = users
      .filter(outside(['bot', 'telegram', 'http', 'updates', 'compose']))
      .filter(({ path }) => !path.startsWith('orders/deliver/'))
    expect(wrong.filter((one) => one.room !== 'sandbox' || one.from !== 'grammy/types').map(shown)).toEqual(
      [],
    )
    expect(users.filter((one) => one.room === 'sandbox' && !one.typeOnly).map(shown)).toEqual([])
  })

  it('bot imports neither SQL nor the tables', () => {
    const isTable = (one: Import) => one.local && !one.typeOnly && /^db\/(schema|sql)\b/.test(one.from)
    const users = imports.filter((one) => isOf('drizzle-orm')(one) || isTable(one))
    expect(users.filter(({ room }) => room === 'bot').map(shown)).toEqual([])
    expect(users.length).toBeGreaterThan(0)
  })

  it('only config, orders, sales, chat, compose and cli import the gateway', () => {
    const users = imports.filter(
      (one) => one.local && roomOf(one.from) === 'gateway' && one.room !== 'gateway',
    )
    expect(users.filter(outside(['config', 'orders', 'sales', 'chat', 'compose', 'cli'])).map(shown)).toEqual(
      [],
    )
    expect(users.length).toBeGreaterThan(0)
  })

  it('catalog, form and money import only zod, text-keys and each other', () => {
    const pure = imports.filter((one) => ['catalog', 'form', 'money'].includes(one.room))
    expect(pure.filter((one) => !one.local && one.from !== 'zod').map(shown)).toEqual([])
    const reached = pure.filter((one) => one.local).map((one) => roomOf(one.from))
    const known = ['catalog', 'form', 'money', 'text-keys']
    expect([...new Set(reached)].filter((room) => !known.includes(room))).toEqual([])
  })

  it('the doubles of the sandbox import only catalog, money and runtime of the app', () => {
    const isStandIn = (path: string) => /^sandbox\/(telegram|gateway|users|payments\/\w+)\//.test(path)
    const standIns = imports.filter((one) => isStandIn(one.path) && one.local)
    const known = ['sandbox', 'catalog', 'money', 'runtime']
    expect(standIns.filter((one) => !known.includes(roomOf(one.from))).map(shown)).toEqual([])
  })

  it('the page of the sandbox imports only types and its library from outside, and no other file imports it', () => {
    const isInPage = (path: string) => path.startsWith('sandbox/page/')
    const out = imports.filter((one) => isInPage(one.path) && !(one.local && isInPage(one.from)))
    const isLibrary = (from: string) => ['preact', 'preact/hooks', 'htm/preact'].includes(from)
    expect(out.filter((one) => !one.typeOnly && !isLibrary(one.from)).map(shown)).toEqual([])
    expect(imports.filter((one) => !isInPage(one.path) && isInPage(one.from)).map(shown)).toEqual([])
    expect(out.length).toBeGreaterThan(0)
  })

  const writes =
    /(insert into|update|delete from|truncate|merge into)\s+(only\s+)?(\$\{|")?transfers\b|\.(insert|update|delete)\(\s*transfers\b/i

  it('only ledger, and the statements that hold and settle orders and answers, write transfers', () => {
    const holds = ['orders/confirm.ts', 'orders/settle.ts', 'chat/hold.ts', 'chat/turns.ts']
    expect(found(writes, ['ledger', ...holds])).toEqual([])
    expect(found(writes).length).toBeGreaterThanOrEqual(3)
  })

  it('the programs of the app load no decoder of files: only the decoder processes do', () => {
    const decoders = ['sharp', 'mediabunny', 'libopus-wasm', 'libheif-js', 'unpdf', '@gltf-transform/core']
    const loaded = imports.filter((one) => !one.typeOnly)
    const reached = new Set(['main.ts'])
    for (const path of reached) {
      for (const one of loaded) if (one.path === path && one.local) reached.add(one.from)
    }
    const users = loaded.filter((one) => decoders.some((name) => isOf(name)(one)))
    expect(reached.size).toBeGreaterThan(200)
    expect(users.length).toBeGreaterThan(5)
    expect(users.filter((one) => reached.has(one.path)).map(shown)).toEqual([])
    expect(reached.has('media/decoder.ts')).toBe(false)
  })

  it('only programs read the environment', () => {
    const users = sources.flatMap((source) =>
      source.nodes
        .filter((node) => propertyOf(node) === 'env' && nameOf(childOf(node, 'object')) === 'process')
        .map(() => source.path),
    )
    expect([...new Set(users)]).toEqual([
      'cli/admin.ts',
      'cli/audit.ts',
      'cli/catalog-list.ts',
      'cli/doctor.ts',
      'cli/gateway-check.ts',
      'cli/migrate.ts',
      'main.ts',
      'sandbox/main.ts',
    ])
    expect(imports.filter((one) => one.from === 'node:process').map(shown)).toEqual([])
  })

  it('only programs, and the clock and chance that they pass in, read time and randomness', () => {
    const direct =
      /\bnew Date\(\)|\bDate\.now\b|\bMath\.random\b|\bset(Timeout|Interval|Immediate)\(|\brandom(Bytes|UUID|Int)\(/
    // The resource use of a process is measured in real time.
    const machine = ['media/decoder-watch.ts']
    const programs = ['main.ts', 'runtime/clock.ts', 'runtime/ids.ts', 'sandbox/sandbox.ts']
    // The page of the sandbox uses the timers and the clock of the browser.
    const browser = ['sandbox/page']
    expect(found(direct, [...programs, ...machine, ...browser])).toEqual([])
  })
})

describe('every file of src', () => {
  const length = (text: string) => text.trimEnd().split('\n').length

  it('has at most 400 lines, unless it is generated', () => {
    const written = sources.filter(({ text }) => !text.startsWith('// Generated '))
    const over = written.filter(({ text }) => length(text) > 400).map(({ path }) => path)
    expect(over).toEqual([])
  })

  const isFunction = ({ type }: Node) =>
    /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)
  const lines = ({ text }: Source, { start, end }: Node) => length(text.slice(start, end))

  /** The lines of a function without inner functions, which count separately: a factory with closures takes the place of a class. */
  function ownLines(source: Source, one: Node): number {
    const isInside = (outer: Node) => (node: Node) =>
      node !== outer && node.start >= outer.start && node.end <= outer.end
    const inside = source.nodes.filter(isFunction).filter(isInside(one))
    const nearest = inside.filter((node) => !inside.some((other) => isInside(other)(node)))
    return nearest.reduce((rest, node) => rest - lines(source, node) + 1, lines(source, one))
  }

  it('has functions of at most 60 lines', () => {
    const long = sources.flatMap((source) =>
      source.nodes
        .filter((node) => isFunction(node) && ownLines(source, node) > 60)
        .map((node) => placeOf(source, node)),
    )
    expect(long).toEqual([])
  })

  it('begins with a comment that says what it is', () => {
    const silent = sources.filter(({ text }) => !/^(\/\/ \S.{10,}|\/\*\*?\s)/.test(text))
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('silences no checker without a reason, and contains no TODO', () => {
    expect(
      found(/@ts-(ignore|nocheck|expect-error)|biome-ignore (?!\S+: \S.{10})|\b(TODO|FIXME|HACK|XXX)\b/),
    ).toEqual([])
  })
})
