import { describe, expect, it } from 'vitest'
import { lessonRoute } from '../../state/url'
import { embedRoute, tellParent, withinFrame } from './frame'

describe('a frame', () => {
  it('holds question, result and steps of its lesson', () => {
    expect(withinFrame(lessonRoute('a', 'see', '', { x: '1' }), 'a')).toEqual(
      embedRoute('a', 'see', '', { x: '1' }),
    )
    expect(withinFrame(lessonRoute('a', 'change', 'longer'), 'a')).toEqual(
      embedRoute('a', 'change', 'longer'),
    )
  })

  it.each([
    lessonRoute('a', 'mend'),
    lessonRoute('a', 'why'),
    lessonRoute('b', 'see'),
    { page: 'home' },
    { page: 'run', id: 'a', query: {} },
  ] as const)('has no place for $page $id $screen', (route) => expect(withinFrame(route, 'a')).toBeNull())
})

it('tells the page round it, and nobody where there is none', () => {
  const heard: unknown[] = []
  const parent = { postMessage: (message: unknown, origin: string) => heard.push([message, origin]) }
  tellParent({ parent }, 'sync-stalls', { type: 'hdl:completed' })
  expect(heard).toEqual([[{ type: 'hdl:completed', version: 1, lesson: 'sync-stalls' }, '*']])
  const alone = { postMessage: () => heard.push('alone') } as unknown as { parent: typeof parent }
  Object.assign(alone, { parent: alone })
  tellParent(alone, 'sync-stalls', { type: 'hdl:completed' })
  expect(heard).toHaveLength(1)
})
