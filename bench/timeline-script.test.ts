import { describe, expect, it } from 'vitest'
import { wheelAction } from '../src/timeline/gestures'
import { LAB_ZOOM, SPEEDSCOPE_ZOOM, script, type Segment } from './timeline-script'

const ZOOM_STEP = 1 / 0.9

const asEvent = ({ ctrl, ...deltas }: Segment['wheel']) => ({
  ...deltas,
  deltaMode: 0,
  ctrlKey: ctrl,
  metaKey: false,
  shiftKey: false,
})

describe('the scripted pan and zoom', () => {
  it('is taken by the lab as the pan and zoom that it names, and ends where it began', () => {
    let zoom = 1
    let panPx = 0
    for (const { wheel, times } of script(LAB_ZOOM))
      for (let at = 0; at < times; at += 1) {
        const action = wheelAction(asEvent(wheel))
        if (action?.type === 'zoom') zoom *= action.factor
        if (action?.type === 'pan') panPx += action.cssX * zoom
        expect(action?.type).toBe(wheel.ctrl ? 'zoom' : 'pan')
      }
    expect(zoom).toBeCloseTo(1, 6)
    expect(panPx).toBeCloseTo(0, 6)
  })

  it('zooms both programs by the same factor a step', () => {
    expect(wheelAction(asEvent({ ctrl: true, deltaX: 0, deltaY: LAB_ZOOM.in }))).toMatchObject({
      factor: expect.closeTo(ZOOM_STEP, 9) as number,
    })
    expect(1 / (1 + SPEEDSCOPE_ZOOM.in / 40)).toBeCloseTo(ZOOM_STEP, 9)
    expect(1 + SPEEDSCOPE_ZOOM.out / 40).toBeCloseTo(ZOOM_STEP, 9)
  })
})
