// Where the gateway names the seeds of its results.

import { expect, it } from 'vitest'
import { filesIn, seedIn } from '../../src/gateway/files.ts'

const [first, second] = ['https://cdn.example/1.mp4', 'https://cdn.example/2.mp4']

it.each<[string, object, (number | undefined)[] | undefined]>([
  [
    'in each item',
    {
      data: [
        { url: first, seed: 7 },
        { url: second, seed: 8 },
      ],
    },
    [7, 8],
  ],
  ['in one item of two', { data: [{ url: first }, { url: second, seed: 8 }] }, [undefined, 8]],
  ['beside the only result', { seed: 7, data: [{ url: first }] }, [7]],
  [
    'beside several results, where it means none of them',
    { seed: 7, data: [{ url: first }, { url: second }] },
    undefined,
  ],
  ['as digits', { data: [{ url: first, seed: '4294967296' }] }, [4294967296]],
  ['nowhere', { data: [{ url: first }] }, undefined],
  ['as no number', { data: [{ url: first, seed: 'random' }] }, undefined],
  ['as an empty value', { data: [{ url: first, seed: null }] }, undefined],
  ['below zero', { data: [{ url: first, seed: -7 }] }, [-7]],
  ['as random', { data: [{ url: first, seed: -1 }] }, undefined],
])('the seeds of an answer that names them %s are read correctly', (_, body, seeds) => {
  expect(filesIn(body).seeds).toEqual(seeds)
})

it.each([
  [{ id: 't', status: 'queued', seed: 5 }, 5],
  [{ task: { id: 't', seed: 5 } }, 5],
  [{ id: 't', status: 'queued' }, undefined],
])('the seed of a created task is read from %o', (body, seed) => {
  expect(seedIn(body)).toBe(seed)
})
