import { describe, expect, it } from 'vitest'
import { searchIndex } from 'virtual:search-index'
import { search, type Entry } from './search'

const entry = (title: string, more = ''): Entry => ({ kind: 'question', id: title, title, shown: '', more })
const titles = (found: readonly Entry[]) => found.map(({ title }) => title)

describe('search', () => {
  it('puts a title before a text, a word before its start, and its start before a part of it', () => {
    const entries = [
      entry('Other', 'item'),
      entry('cudaMemitem'),
      entry('items'),
      entry('item'),
      entry('Nothing'),
    ]
    expect(titles(search(entries, 'item'))).toEqual(['item', 'items', 'cudaMemitem', 'Other'])
  })
  it('asks for every term, where something has them all', () => {
    const entries = [entry('pinned'), entry('pinned copy'), entry('copy')]
    expect(titles(search(entries, 'copy pinned'))).toEqual(['pinned copy'])
    expect(titles(search(entries, 'copy absent'))).toEqual(['pinned copy', 'copy'])
  })
  it('leaves out common words, unless there are no others', () => {
    expect(titles(search([entry('Why me'), entry('slow')], 'why is it slow'))).toEqual(['slow'])
    expect(titles(search([entry('Why me'), entry('slow')], 'why'))).toEqual(['Why me'])
  })
  it('finds nothing for nothing', () => {
    expect(search([entry('a')], '')).toEqual([])
    expect(search([entry('a')], ' () ')).toEqual([])
    expect(search([entry('a')], 'zzz')).toEqual([])
  })
})

describe('the index', () => {
  it.each([
    ['.item() slow', 'item-is-slow'],
    ['cudaStreamSynchronize', 'cuda-stream-synchronize'],
    ['cudaLaunchKernel', 'launch-takes-my-time'],
    ['dataloader workers', 'how-many-workers'],
    ['norm 1e-22', 'wrong-norm'],
    ['bubble', 'pipeline-bubble'],
    ['pageable', 'pageable'],
  ])('leads from %j to %s', (typed, id) =>
    expect(
      search(searchIndex, typed)
        .slice(0, 3)
        .map((found) => found.id),
    ).toContain(id),
  )
  it('holds questions, lessons and words', () =>
    expect(new Set(searchIndex.map(({ kind }) => kind))).toEqual(new Set(['question', 'lesson', 'word'])))
})
