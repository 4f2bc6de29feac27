import { describe, expect, it, vi } from 'vitest'
import { Frames, type FrameParts } from './timeline'
import type { Overlay } from './paint-overlay'
import type { Scene } from './renderer'
import { twoSubmissions } from './testing/fixture'
import { setupViewModel, spanTarget } from './testing/view-model'

const { data, spans } = twoSubmissions()

function setup() {
  const on = setupViewModel(data)
  const log: string[] = []
  const painted: { scene: Scene; overlay: Overlay }[] = []
  let isStale = false
  const renderer = {
    isBlurred: false as boolean,
    invalidate: () => (isStale = true),
    measure: vi.fn(() => true),
    paint: (scene: Scene, makeOverlay: (lanesWerePainted: boolean) => Overlay) => {
      log.push(isStale ? 'lanes' : 'overlay only')
      painted.push({ scene, overlay: makeOverlay(isStale) })
      isStale = false
    },
  } satisfies FrameParts['renderer']
  const pointing = {
    hovered: spanTarget(spans['pass 0']),
    timePx: 300,
    look: (lanesWerePainted: boolean) => log.push(`look ${lanesWerePainted ? 'anew' : 'if it moved'}`),
    tell: () => log.push('tell'),
  } as const
  const highlights = { found: null, path: [] }
  const frames = new Frames({ ...on, renderer, pointing, highlights })
  const callbacks = new Map<number, FrameRequestCallback>()
  let newest = 0
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    newest += 1
    callbacks.set(newest, callback)
    return newest
  })
  vi.stubGlobal('cancelAnimationFrame', (request: number) => callbacks.delete(request))
  /** The browser's next frame; how many callbacks there were. */
  const nextFrame = (nowMs = 0): number => {
    const due = [...callbacks.values()]
    callbacks.clear()
    for (const callback of due) callback(nowMs)
    return due.length
  }
  return { ...on, frames, renderer, log, painted, nextFrame }
}

describe('Frames', () => {
  it('are one an animation frame, and paint the lanes where any request asked for them', () => {
    const { frames, log, nextFrame } = setup()
    frames.request(false)
    frames.request(true)
    frames.request(false)
    expect(log).toEqual([])
    expect(nextFrame()).toBe(1)
    expect(log).toEqual(['lanes', 'look anew', 'tell'])
    expect(nextFrame(), 'nothing more was asked for').toBe(0)
    frames.request(false)
    nextFrame()
    expect(log.slice(3)).toEqual(['overlay only', 'look if it moved', 'tell'])
  })

  it('go on while the camera moves, and stop with it', () => {
    const { frames, viewModel, nextFrame, painted } = setup()
    viewModel.camera.reducedMotion = false
    viewModel.camera.glide({ startNs: 100_000, endNs: 200_000 }, 1000)
    frames.request(true)
    nextFrame(1050)
    expect(painted.at(-1)?.scene.scale.view).toBe(viewModel.camera.view)
    expect(nextFrame(1200)).toBe(1)
    expect(viewModel.camera.view).toEqual({ startNs: 100_000, endNs: 200_000 })
    expect(nextFrame(1216)).toBe(0)
  })

  it('paint nothing where there is no room, and none after the end', () => {
    const { frames, canvas, log, nextFrame } = setup()
    canvas.widthPx = 0
    frames.request(true)
    expect(nextFrame()).toBe(1)
    expect(log).toEqual([])
    frames.request(true)
    frames.stop()
    expect(nextFrame()).toBe(0)
  })

  it('follow a new size at once, and measure again where the screen is another', () => {
    const { frames, renderer, log, nextFrame } = setup()
    frames.resized()
    expect(log).toContain('look if it moved')
    renderer.measure.mockReturnValue(false)
    log.length = 0
    frames.resized()
    expect(log, 'nothing changed').toEqual([])
    renderer.isBlurred = true
    frames.request(false)
    nextFrame()
    expect(renderer.measure).toHaveBeenCalledTimes(3)
  })

  it('measure new rows before they are painted, so that the higher element is not painted twice', () => {
    const { frames, renderer, viewModel, nextFrame } = setup()
    renderer.measure.mockReturnValue(false)
    frames.request(true)
    nextFrame()
    frames.request(true)
    nextFrame()
    expect(renderer.measure, 'once for these rows').toHaveBeenCalledTimes(1)
    viewModel.relayout()
    frames.request(true)
    nextFrame()
    expect(renderer.measure).toHaveBeenCalledTimes(2)
  })
})
