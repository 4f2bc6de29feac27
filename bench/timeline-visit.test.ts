import { expect, it } from 'vitest'
import { wheelAction } from '../src/timeline/gestures'
import { SCRIPT } from './timeline-visit'

it('the scripted pan and zoom is what the lab takes it for, and ends where it began', () => {
  let zoom = 1
  let panPx = 0
  for (const { wheel, times } of SCRIPT)
    for (let at = 0; at < times; at += 1) {
      const { ctrl: ctrlKey, ...deltas } = wheel
      const keys = { ctrlKey, metaKey: false, shiftKey: false, altKey: false }
      const action = wheelAction({ ...deltas, deltaMode: 0, ...keys }, false)
      if (action?.type === 'zoom') zoom *= action.factor
      if (action?.type === 'pan') panPx += action.cssX * zoom
      expect(action?.type).toBe(wheel.ctrl ? 'zoom' : 'pan')
    }
  expect(zoom).toBeCloseTo(1, 6)
  expect(panPx).toBeCloseTo(0, 6)
})
