import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, isSamePage, lessonRoute, pageFile, readAddress, type Route } from './url'
import { forAll } from '../../testing/for-all'

describe('published links', () => {
  const frozen: readonly (readonly [string, Route])[] = [
    ['', { page: 'home' }],
    ['#', { page: 'home' }],
    ['./', { page: 'home' }],
    ['./index.html', { page: 'home' }],
    ['./device/', { page: 'device' }],
    ['./method', { page: 'method', section: '' }],
    ['./reference/#links', { page: 'reference', section: 'links' }],
    ['./record/', { page: 'record' }],
    ['./check/', { page: 'check' }],
    ['./trace/', { page: 'trace', query: {} }],
    [
      './trace/#?recording=torch-sync-stalls-stalled',
      { page: 'trace', query: { recording: 'torch-sync-stalls-stalled' } },
    ],
    ['find/', { page: 'find', number: null }],
    ['find/#12', { page: 'find', number: 12 }],
    ['./q/', { page: 'questions', query: {} }],
    ['./q/item-is-slow/', { page: 'question', slug: 'item-is-slow' }],
    ['./embed/sync-stalls/', { page: 'embed', id: 'sync-stalls', screen: '', step: '', query: {} }],
    [
      './embed/sync-stalls/#change/longer?kernelMs=4',
      {
        page: 'embed',
        id: 'sync-stalls',
        screen: 'change',
        step: 'longer',
        query: { kernelMs: '4' },
      },
    ],
    ['./teachers/', { page: 'teachers' }],
    ['./lessons/', { page: 'home' }],
    ['./lessons/async-submission/', lessonRoute('async-submission')],
    ['./lessons/async-submission/index.html#see', lessonRoute('async-submission', 'see')],
    [
      './lessons/sync-stalls/#change/longer?kernelMs=4',
      lessonRoute('sync-stalls', 'change', 'longer', { kernelMs: '4' }),
    ],
    ['./lessons/sync-stalls/#?read=matrix', lessonRoute('sync-stalls', '', '', { read: 'matrix' })],
    [
      './lessons/overlapped-uploads/#?rings=1,2,8&balance=0.5',
      lessonRoute('overlapped-uploads', '', '', { rings: '1,2,8', balance: '0.5' }),
    ],
    ['./run/', { page: 'experiments' }],
    [
      './run/sync-stalls/#?every=never,every-step&steps=64',
      { page: 'run', id: 'sync-stalls', query: { every: 'never,every-step', steps: '64' } },
    ],
  ]
  it.each(frozen)('%s', (hash, route) => expect(readAddress(hash)).toEqual(route))
})

describe('readAddress', () => {
  it('says what it does not know', () => {
    for (const gone of ['nowhere', 'runs', 'compare'])
      expect(readAddress(`${gone}/`)).toEqual({ page: 'unknown', path: `/${gone}/` })
    expect(readAddress('teachers/#nowhere')).toEqual({ page: 'unknown', path: '/teachers/#nowhere' })
    for (const page of ['device', 'trace', 'teachers'])
      expect(readAddress(`${page}/extra/`).page).toBe('unknown')
    expect(readAddress('run/a/b').page).toBe('unknown')
    expect(readAddress('lessons/a/#b/c/d').page).toBe('unknown')
  })

  it('never throws, whatever stands in the address bar', () => {
    forAll(fc.string(), fc.string(), (path, hash) => {
      expect(readAddress(path)).toHaveProperty('page')
      expect(readAddress(`lessons/a/#${hash}`)).toHaveProperty('page')
    })
    expect(readAddress('lessons/%E0%A4%A/#?x=%')).toEqual(lessonRoute('%E0%A4%A', '', '', { x: '%' }))
  })

  it('reads back what addressOf wrote', () => {
    const text = fc.string({ minLength: 1 }).filter((id) => id.trim() !== '')
    const query = fc.dictionary(text, fc.string())
    const route = fc.oneof(
      fc.record({ page: fc.constant('lesson' as const), id: text, screen: text, step: text, query }),
      fc.record({
        page: fc.constant('lesson' as const),
        id: text,
        screen: fc.constant(''),
        step: fc.constant(''),
        query,
      }),
      fc.record({ page: fc.constant('embed' as const), id: text, screen: text, step: text, query }),
      fc.record({
        page: fc.constantFrom(
          'home' as const,
          'device' as const,
          'record' as const,
          'check' as const,
          'teachers' as const,
          'experiments' as const,
        ),
      }),
      fc.record({ page: fc.constantFrom('method' as const, 'reference' as const), section: text }),
      fc.record({ page: fc.constant('question' as const), slug: text }),
      fc.record({ page: fc.constant('find' as const), number: fc.option(fc.integer({ min: 1, max: 9999 })) }),
      fc.record({ page: fc.constant('run' as const), id: text, query }),
      fc.record({ page: fc.constantFrom('trace' as const, 'questions' as const), query }),
    )
    forAll(route, (given) => {
      const read = readAddress(addressOf(given))
      expect(read).toEqual('query' in given ? { ...given, query: { ...given.query } } : given)
    })
  })
})

describe('pageFile', () =>
  it('is the file that a host serves for the path', () => {
    expect(pageFile({ page: 'home' })).toBe('index.html')
    expect(pageFile(lessonRoute('sync-stalls', 'see', 'longer', { steps: '64' }))).toBe(
      'lessons/sync-stalls/index.html',
    )
    expect(pageFile({ page: 'trace', query: { recording: 'x' } })).toBe('trace/index.html')
  }))

describe('isSamePage', () =>
  it('looks past the query and the screen of a lesson', () => {
    const isSame = (one: string, other: string) => isSamePage(readAddress(one), readAddress(other))
    expect(isSame('lessons/a/#?x=1', 'lessons/a/#?x=2')).toBe(true)
    expect(isSame('lessons/a/#see', 'lessons/a/#change/b')).toBe(true)
    expect(isSame('lessons/a/', 'lessons/b/')).toBe(false)
    expect(isSame('lessons/a/', 'run/a/')).toBe(false)
  }))
