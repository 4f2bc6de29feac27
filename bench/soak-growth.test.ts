import { expect, it } from 'vitest'
import { whatGrew, type Look } from './soak-growth'

const looks = (of: (index: number) => Partial<Look>): readonly Look[] =>
  Array.from({ length: 12 }, (_, index) => ({
    runs: 9 * (index + 1),
    pageBytes: 2e7,
    workerBytes: 1e7,
    listeners: 300,
    nodes: 900,
    buffers: 0,
    ...of(index),
  }))

it('finds nothing where what is kept goes up and down', () => {
  expect(whatGrew(looks((index) => ({ pageBytes: 2e7 + (index % 2) * 5e6 })))).toEqual([])
})

it('names what each run leaves behind', () => {
  expect(whatGrew(looks((index) => ({ workerBytes: 1e7 + index * 5e5 })))).toEqual([
    'memory of the worker: from 10750000 to 14750000',
  ])
  expect(whatGrew(looks((index) => ({ listeners: 300 + 9 * index })))).toHaveLength(1)
  expect(whatGrew(looks((index) => ({ buffers: index === 5 ? 1 : 0 })))).toEqual([
    'buffers: up to 1 alive between runs',
  ])
})
