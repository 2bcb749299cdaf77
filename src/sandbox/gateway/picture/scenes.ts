// The six scenes, all landscapes, drawn for a given frame.

import { between } from '../../random.ts'
import { balloon, birds, pine, sail } from './scene-objects.ts'
import { type Canvas, disc, down, glow, mix, ridge, shape, whole } from './svg.ts'

type Scene = (canvas: Canvas) => string

const times = (count: number, draw: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => draw(i)).join('')

const halo = (colour: string, strength = 0.8) =>
  glow('halo', [0, colour, strength], [0.35, colour, strength / 3], [1, colour, 0])

const dawn: Scene = (canvas) => {
  const { width, height } = canvas
  const [x, y] = [width * 0.64, height * 0.44]
  return [
    down('sky', [0, '#3b4a86'], [0.35, '#b078a6'], [0.6, '#f7a989'], [0.8, '#ffe0b0']),
    halo('#fff0c4'),
    whole(canvas, 'url(#sky)') + disc(x, y, 420, 'url(#halo)') + disc(x, y, 62, '#fff6dc'),
    times(6, (i) => {
      const lines = {
        at: 0.52 + i * 0.085,
        swing: 0.13 - i * 0.008,
        hills: 0.8 + i * 0.25,
        rough: 0.75 - i * 0.06,
      }
      return shape(ridge(canvas, lines), mix('#d58f95', '#1c2347', i / 5))
    }),
    birds(canvas, width * 0.33, height * 0.3, '#3a2f55'),
  ].join('')
}

const sea: Scene = (canvas) => {
  const { width, height, random } = canvas
  const [x, horizon] = [width * 0.42, height * 0.54]
  return [
    down('sky', [0, '#10204f'], [0.3, '#5a3f86'], [0.45, '#e0607e'], [0.54, '#ffc16b']),
    down('water', [0, '#e98a7a'], [0.25, '#7d5590'], [1, '#0e1a45']),
    halo('#ffe2a0'),
    whole(canvas, 'url(#sky)') +
      disc(x, horizon - 20, 440, 'url(#halo)') +
      disc(x, horizon - 20, 120, '#ffe9b8'),
    `<rect y="${horizon}" width="${width}" height="${height - horizon}" fill="url(#water)"/>`,
    times(26, (i) => {
      const depth = (i / 25) ** 1.4
      const half = (40 + 190 * depth) * between(random, 0.5, 1.1)
      const top = horizon + 6 + depth * (height - horizon)
      const rx = x + between(random, -30, 30) * (1 + depth)
      return `<rect x="${rx - half}" y="${top}" width="${2 * half}" height="${3 + 9 * depth}" rx="${2 + 4 * depth}" fill="#ffdf9e" opacity="${0.75 - 0.55 * depth}"/>`
    }),
    sail(width * 0.72, horizon + 26, 0.9, '#251a47'),
    times(3, (i) =>
      shape(
        ridge(canvas, { at: 0.84 + i * 0.07, swing: 0.018, hills: 2.4 - i * 0.6, rough: 0 }),
        mix('#3f3a78', '#0a1233', i / 2),
        0.7,
      ),
    ),
  ].join('')
}

const aurora: Scene = (canvas) => {
  const { width, height, random } = canvas
  const ribbon = (i: number) => {
    const base = height * (0.42 + i * 0.07)
    const tall = height * (0.36 - i * 0.06)
    const phase = between(random, 0, 6)
    return times(Math.ceil(width / 14), (k) => {
      const px = k * 14
      const bend = Math.sin(px / 170 + phase) * 60 + Math.sin(px / 67 + phase * 2) * 22
      const top = base + bend - tall * (0.75 + 0.25 * Math.sin(px / 41 + phase))
      return `<rect x="${px}" y="${top}" width="14.5" height="${base + bend - top}" fill="url(#light${i})"/>`
    })
  }
  return [
    down('sky', [0, '#070b24'], [0.6, '#12305a'], [1, '#2b5f7a']),
    down('light0', [0, '#8a4dff', 0], [0.55, '#4de0c0', 0.3], [1, '#7dffb0', 0]),
    down('light1', [0, '#4d7bff', 0], [0.6, '#63ffc4', 0.42], [1, '#b6ffcf', 0]),
    whole(canvas, 'url(#sky)'),
    times(140, () =>
      disc(
        random() * width,
        random() * height * 0.65,
        0.8 + random() ** 4 * 2.6,
        '#eaf4ff',
        between(random, 0.3, 1),
      ),
    ),
    ribbon(0) + ribbon(1),
    times(3, (i) =>
      shape(
        ridge(canvas, { at: 0.72 + i * 0.08, swing: 0.1 - i * 0.02, hills: 1.1 + i * 0.4, rough: 0.8 }),
        mix('#1f4463', '#081022', i / 2),
      ),
    ),
    times(Math.ceil(width / 34), (i) =>
      pine(
        i * 34 + between(random, -12, 12),
        height * between(random, 0.97, 1.02),
        between(random, 70, 190),
        '#050a17',
      ),
    ),
  ].join('')
}

const dunes: Scene = (canvas) => {
  const { width, height, random } = canvas
  return [
    down('sky', [0, '#2aa6b8'], [0.4, '#9fd8cd'], [0.65, '#fdeec4']),
    halo('#fffbe6', 0.7),
    whole(canvas, 'url(#sky)') +
      disc(width * 0.25, height * 0.26, 330, 'url(#halo)') +
      disc(width * 0.25, height * 0.26, 70, '#fffdf0'),
    times(6, (i) => {
      const line = { at: 0.56 + i * 0.085, swing: 0.07 + i * 0.008, hills: 0.45 + 0.1 * (i % 3), rough: 0.15 }
      const [light, dark] = [mix('#f9cf8b', '#d9703f', i / 5), mix('#e0a06a', '#7d2f2c', i / 5)]
      return down(`dune${i}`, [0, light], [0.55, dark]) + shape(ridge(canvas, line), `url(#dune${i})`)
    }),
    balloon(width * 0.66, height * 0.24, 92, ['#e4572e', '#ffc145', '#fff3d6']),
    balloon(width * 0.42, height * 0.38, 46, ['#2e6f95', '#8fd3d1', '#fff3d6']),
    balloon(width * between(random, 0.84, 0.88), height * 0.43, 32, ['#7b3f8c', '#f2a7bb', '#fff3d6']),
  ].join('')
}

const meadow: Scene = (canvas) => {
  const { width, height, random } = canvas
  const cloud = (x: number, y: number, size: number) =>
    `<g fill="#ffffff" opacity="0.85">${times(7, (i) => disc(x + (i - 3) * size * 0.42, y - Math.sin((i / 6) * Math.PI) * size * between(random, 0.2, 0.5), size * (0.3 + 0.3 * Math.sin((i / 6) * Math.PI)), '#ffffff'))}</g>`
  const flower = () => {
    const depth = random()
    const [x, y, size] = [random() * width, height * (0.74 + 0.27 * depth), 5 + 17 * depth]
    const colour =
      ['#ff5d73', '#ffd166', '#ffffff', '#c77dff', '#ff9ecb'][Math.floor(random() * 5)] ?? '#ffffff'
    const petals = times(6, (i) =>
      disc(x + Math.cos(i * 1.0472) * size, y + Math.sin(i * 1.0472) * size * 0.8, size * 0.6, colour),
    )
    return petals + disc(x, y, size * 0.55, '#ffb703')
  }
  return [
    down('sky', [0, '#3f9be8'], [0.65, '#d6f0ff']),
    whole(canvas, 'url(#sky)'),
    cloud(width * 0.24, height * 0.2, 110) +
      cloud(width * 0.7, height * 0.3, 80) +
      cloud(width * 0.9, height * 0.13, 60),
    times(5, (i) => {
      const colours = [mix('#a5d8b9', '#63b446', i / 4), mix('#6fb59a', '#1f6b35', i / 4)] as const
      const line = { at: 0.5 + i * 0.075, swing: 0.075, hills: 0.6 + i * 0.08, rough: 0.1 }
      return down(`hill${i}`, [0, colours[0]], [1, colours[1]]) + shape(ridge(canvas, line), `url(#hill${i})`)
    }),
    times(Math.ceil(width / 9), flower),
  ].join('')
}

const lanterns: Scene = (canvas) => {
  const { width, height, random } = canvas
  const lantern = () => {
    const depth = random() ** 2
    const [x, y, size] = [random() * width, height * (0.06 + 0.66 * random()), 10 + 52 * depth]
    const body = `M${x - size * 0.7} ${y - size}q${size * 0.7} ${-size * 0.5} ${size * 1.4} 0l${-size * 0.25} ${size * 1.9}h${-size * 0.9}Z`
    return disc(x, y, size * 3.2, 'url(#halo)') + shape(body, 'url(#paper)', 0.6 + 0.4 * depth)
  }
  return [
    down('sky', [0, '#1a1040'], [0.5, '#4a2468'], [0.8, '#a24a78'], [1, '#e98a6d']),
    down('paper', [0, '#ff8a3d'], [0.6, '#ffc65c'], [1, '#fff0b3']),
    halo('#ffb45c', 0.5),
    whole(canvas, 'url(#sky)') +
      disc(width * 0.78, height * 0.2, 70, '#f7e6d0') +
      disc(width * 0.78 - 26, height * 0.2 - 12, 62, '#2b184e'),
    times(4, (i) =>
      shape(
        ridge(canvas, { at: 0.72 + i * 0.08, swing: 0.08, hills: 0.7 + i * 0.2, rough: 0.35 }),
        mix('#7a3a70', '#150b2e', i / 3),
      ),
    ),
    times(Math.ceil(width / 36), lantern),
  ].join('')
}

export const scenes: readonly Scene[] = [dawn, sea, aurora, dunes, meadow, lanterns]
