import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { experiments } from '../experiments/catalog'
import { formatHash, isSamePage, lessonRoute, parseHash, runIn, settingsIn, withRun, type Route } from './url'

describe('published links', () => {
  // Links that stand in other people's pages: they only ever grow in number.
  const frozen: readonly (readonly [string, Route])[] = [
    ['', { page: 'home' }],
    ['#', { page: 'home' }],
    ['#/', { page: 'home' }],
    ['#/lessons', { page: 'home' }],
    ['#/device', { page: 'device' }],
    ['#/method', { page: 'method' }],
    ['#/runs', { page: 'runs' }],
    ['#/trace', { page: 'trace', query: {} }],
    ['#/trace?d=1AbC-_09', { page: 'trace', query: { d: '1AbC-_09' } }],
    [
      '#/trace?recording=torch-sync-stalls-stalled',
      { page: 'trace', query: { recording: 'torch-sync-stalls-stalled' } },
    ],
    ['#/compare', { page: 'compare', query: {} }],
    [
      '#/compare?a=recording:sync-stalls&b=page&va=never',
      { page: 'compare', query: { a: 'recording:sync-stalls', b: 'page', va: 'never' } },
    ],
    ['#/run', { page: 'run', id: null, query: {} }],
    ['#/lessons/async-submission', lessonRoute('async-submission')],
    ['#/lessons/sync-stalls?read=matrix', lessonRoute('sync-stalls', '', '', { read: 'matrix' })],
    ['#/lessons/sync-stalls/see', lessonRoute('sync-stalls', 'see')],
    ['#/lessons/sync-stalls/see?read=matrix', lessonRoute('sync-stalls', 'see', '', { read: 'matrix' })],
    ['#/lessons/sync-stalls/see?d=2AbC-_09', lessonRoute('sync-stalls', 'see', '', { d: '2AbC-_09' })],
    [
      '#/lessons/sync-stalls/see/longer?d=2AbC-_09',
      lessonRoute('sync-stalls', 'see', 'longer', { d: '2AbC-_09' }),
    ],
    ['#/run/sync-stalls?d=2AbC-_09', { page: 'run', id: 'sync-stalls', query: { d: '2AbC-_09' } }],
    [
      '#/lessons/sync-stalls/change/longer?kernelMs=4',
      lessonRoute('sync-stalls', 'change', 'longer', { kernelMs: '4' }),
    ],
    [
      '#/lessons/overlapped-uploads?rings=1,2,8&balance=0.5',
      lessonRoute('overlapped-uploads', '', '', { rings: '1,2,8', balance: '0.5' }),
    ],
    [
      '#/run/sync-stalls?every=never,every-step&steps=64',
      { page: 'run', id: 'sync-stalls', query: { every: 'never,every-step', steps: '64' } },
    ],
  ]
  it.each(frozen)('%s', (hash, route) => {
    expect(parseHash(hash)).toEqual(route)
  })
})

describe('parseHash', () => {
  it('says what it does not know', () => {
    expect(parseHash('#/nowhere')).toEqual({ page: 'unknown', path: '/nowhere' })
    for (const page of ['device', 'runs', 'compare', 'trace'])
      expect(parseHash(`#/${page}/extra`).page).toBe('unknown')
    expect(parseHash('#/run/a/b').page).toBe('unknown')
    expect(parseHash('#/lessons/a/b/c/d').page).toBe('unknown')
  })

  it('never throws, whatever stands in the address bar', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseHash(`#/${text}`)).toHaveProperty('page')
      }),
    )
    expect(parseHash('#/lessons/%E0%A4%A?x=%')).toEqual(lessonRoute('%E0%A4%A', '', '', { x: '%' }))
  })

  it('reads back what formatHash wrote', () => {
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
      fc.record({ page: fc.constant('run' as const), id: text, query }),
      fc.record({ page: fc.constantFrom('compare' as const, 'trace' as const), query }),
    )
    fc.assert(
      fc.property(route, (given) => {
        const read = parseHash(formatHash(given))
        expect(read).toEqual({ ...given, query: { ...given.query } })
      }),
    )
  })
})

describe('a run in a query', () => {
  it('is no setting', () => {
    const query = { ...withRun('2AbC'), steps: '64' }
    expect(runIn(query)).toBe('2AbC')
    expect(settingsIn(query)).toEqual({ steps: '64' })
    expect(runIn({ steps: '64' })).toBeUndefined()
  })

  it('has a name that no parameter has', () => {
    const names = experiments.flatMap(({ params }) => params.map(({ name }) => name))
    expect(names).not.toContain(Object.keys(withRun(''))[0])
  })
})

describe('isSamePage', () => {
  it('looks past the query and the screen of a lesson', () => {
    const at = (hash: string) => parseHash(hash)
    expect(isSamePage(at('#/lessons/a?x=1'), at('#/lessons/a?x=2'))).toBe(true)
    expect(isSamePage(at('#/lessons/a/see'), at('#/lessons/a/change/b'))).toBe(true)
    expect(isSamePage(at('#/lessons/a'), at('#/lessons/b'))).toBe(false)
    expect(isSamePage(at('#/lessons/a'), at('#/run/a'))).toBe(false)
  })
})
