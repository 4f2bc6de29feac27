import { describe, expect, it } from 'vitest'
import { lessonRoute } from '../../state/url'
import { embedRoute, messagesOf, tellParent, withinFrame, type FrameMessage, type Told } from './frame'

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

describe('what a frame tells', () => {
  const predicted: FrameMessage = { type: 'hdl:predicted', skipped: false }
  const measured = (counts: boolean): FrameMessage => ({
    type: 'hdl:measured',
    step: '',
    outcome: 'shown',
    counts,
    recorded: false,
  })
  const none = (): Told => ({ predicted: false, measured: false, completed: false })
  const typesOf = (messages: readonly FrameMessage[]) => messages.map(({ type }) => type)

  it('is that it is complete once, when there was a prediction and a run that counts', () => {
    const told = none()
    expect(typesOf(messagesOf(told, predicted))).toEqual(['hdl:predicted'])
    expect(typesOf(messagesOf(told, measured(false)))).toEqual(['hdl:measured'])
    expect(typesOf(messagesOf(told, measured(true)))).toEqual(['hdl:measured', 'hdl:completed'])
    expect(typesOf(messagesOf(told, measured(true)))).toEqual(['hdl:measured'])
  })

  it('is not complete by its height, nor without a prediction', () => {
    const told = none()
    expect(typesOf(messagesOf(told, measured(true)))).toEqual(['hdl:measured'])
    expect(typesOf(messagesOf(told, { type: 'hdl:height', height: 5 }))).toEqual(['hdl:height'])
    expect(typesOf(messagesOf(told, predicted))).toEqual(['hdl:predicted', 'hdl:completed'])
  })

  it('goes to the page round it, and to nobody where there is none', () => {
    const heard: unknown[] = []
    const parent = { postMessage: (message: unknown, origin: string) => heard.push([message, origin]) }
    tellParent({ parent }, 'sync-stalls', predicted)
    expect(heard).toEqual([
      [{ type: 'hdl:predicted', skipped: false, version: 1, lesson: 'sync-stalls' }, '*'],
    ])
    const alone = { postMessage: () => heard.push('alone') } as unknown as { parent: typeof parent }
    Object.assign(alone, { parent: alone })
    tellParent(alone, 'sync-stalls', predicted)
    expect(heard).toHaveLength(1)
  })
})
