/**
 * Runs inside the measured page, before its own code (a plain script: no imports). It knows nothing of the program that it looks at
 * but a selector, so that both programs are measured by one rule. All times are ms of the page's main thread.
 *
 * Load: from the file input's `change` event to the frame from which the picture stays as it is. Work of a frame: from the wheel event,
 * or the first callback of the frame, to a message posted there. The browser runs callbacks, style, layout and paint in one task, so
 * that message comes after them: the browser's own part is included, waiting for the display is not.
 */
{
  /** A picture that has not changed for so long is the whole picture. */
  const STILL_MS = 1500
  const THUMB = { width: 160, height: 90 }
  /** Of 255, in any channel; less is smoothing. */
  const CHANGED_LEVEL = 32
  /** Share of pixels: a blinking cursor is no new picture. */
  const CHANGED_SHARE = 0.005
  const DRAWN_SHARE = 0.02

  let changedMs = NaN
  addEventListener(
    'change',
    () => {
      changedMs = performance.now()
    },
    true,
  )

  /** @type {{ endMs: number, durationMs: number }[]} */
  const longTasks = []
  /** @param {readonly PerformanceEntry[]} entries */
  const noteTasks = (entries) => {
    for (const { startTime, duration } of entries)
      longTasks.push({ endMs: startTime + duration, durationMs: duration })
  }
  const taskObserver = new PerformanceObserver((list) => {
    noteTasks(list.getEntries())
  })
  taskObserver.observe({ type: 'longtask' })

  let tasksSinceMs = 0

  const thumbs = new OffscreenCanvas(THUMB.width, THUMB.height).getContext('2d', { willReadFrequently: true })
  if (!thumbs) throw new Error('no 2D canvas')
  /** @param {readonly HTMLCanvasElement[]} canvases */
  const thumbOf = (canvases) => {
    thumbs.clearRect(0, 0, THUMB.width, THUMB.height)
    for (const canvas of canvases)
      if (canvas.width > 0 && canvas.height > 0) thumbs.drawImage(canvas, 0, 0, THUMB.width, THUMB.height)
    return thumbs.getImageData(0, 0, THUMB.width, THUMB.height).data
  }
  /**
   * @param {Uint8ClampedArray} a
   * @param {Uint8ClampedArray} b
   */
  const isChanged = (a, b) => {
    let changed = 0
    for (let at = 0; at < a.length; at += 4)
      for (let channel = at; channel < at + 4; channel += 1)
        if (Math.abs((a[channel] ?? 0) - (b[channel] ?? 0)) > CHANGED_LEVEL) {
          changed += 1
          break
        }
    return changed > (a.length / 4) * CHANGED_SHARE
  }
  /**
   * Pixels that are not of the most frequent colour.
   * @param {Uint8ClampedArray} thumb
   */
  const isDrawn = (thumb) => {
    const colours = new Uint32Array(thumb.buffer)
    /** @type {Map<number, number>} */
    const counts = new Map()
    for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
    return colours.length - Math.max(...counts.values()) > colours.length * DRAWN_SHARE
  }

  const oneFrame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve)
    })

  /** What a wheel set off in a frame. */
  let isMeasuring = false
  let isControl = false
  let begunMs = NaN
  let workMs = 0
  let isFrameSeen = false
  /** @type {number[]} the costliest frame after each wheel event */
  let steps = []
  /** The first event that no frame has followed: where the machine is busy, several have their frame in common. */
  let firstWaiting = 0
  const channel = new MessageChannel()
  const begin = () => {
    if (!Number.isNaN(begunMs)) return
    begunMs = performance.now()
    channel.port2.postMessage(null)
  }
  channel.port1.onmessage = () => {
    workMs += performance.now() - begunMs
    begunMs = NaN
    if (!isFrameSeen) return
    for (let at = Math.max(0, Math.min(firstWaiting, steps.length - 1)); at < steps.length; at += 1)
      steps[at] = Math.max(steps[at] ?? 0, workMs)
    firstWaiting = steps.length
    workMs = 0
    isFrameSeen = false
  }
  const onFrame = () => {
    begin()
    isFrameSeen = true
    // Asked for now, it comes before any callback that the page asks for until the next frame.
    if (isMeasuring) requestAnimationFrame(onFrame)
  }
  addEventListener(
    'wheel',
    (event) => {
      if (!isMeasuring) return
      begin()
      steps.push(0)
      // The page of the control would scroll, or zoom as a whole.
      if (isControl) event.preventDefault()
    },
    { capture: true, passive: false },
  )

  const benchProbe = {
    /**
     * Waits until the canvases show a picture that stays.
     * @param {string} selector of the canvases, one above the other
     * @param {string} failure selector of what the page shows instead when it cannot
     * @returns ms from the file's change to that picture
     */
    async picture(selector, failure) {
      /** @type {{ atMs: number, thumb: Uint8ClampedArray } | null} */
      let last = null
      for (;;) {
        await oneFrame()
        // The frame before this one has drawn what is seen now.
        const atMs = performance.now()
        if (Number.isNaN(changedMs)) continue
        const failed = document.querySelector(failure)
        if (failed) throw new Error(failed.textContent)
        const canvases = /** @type {HTMLCanvasElement[]} */ ([...document.querySelectorAll(selector)])
        if (canvases.length === 0) continue
        const thumb = thumbOf(canvases)
        if (!last || isChanged(last.thumb, thumb)) last = { atMs, thumb }
        else if (atMs - last.atMs > STILL_MS && isDrawn(thumb)) return last.atMs - changedMs
      }
    },
    /**
     * Waits until the page's title ends so, and two frames more: a lower bound of the same.
     * @param {string} ending
     */
    async titled(ending) {
      do await oneFrame()
      while (!document.title.endsWith(ending))
      await oneFrame()
      await oneFrame()
      return performance.now() - changedMs
    },
    /** The longest task of 50 ms and more since the last call; 0 none. */
    takeLongestTask() {
      noteTasks(taskObserver.takeRecords()) // what it has not told yet
      const since = Math.max(tasksSinceMs, Number.isNaN(changedMs) ? 0 : changedMs)
      const longest = longTasks.reduce(
        (most, { endMs, durationMs }) => (endMs > since ? Math.max(most, durationMs) : most),
        0,
      )
      longTasks.length = 0
      tasksSinceMs = performance.now()
      return longest
    },
    /** @param {boolean} control keep the wheel from scrolling and zooming the page */
    startFrames(control) {
      isMeasuring = true
      isControl = control
      steps = []
      firstWaiting = 0
      workMs = 0
      requestAnimationFrame(onFrame)
    },
    /** @returns ms of work of the costliest frame after each wheel event */
    async takeFrames() {
      await oneFrame()
      await oneFrame()
      isMeasuring = false
      return steps
    },
  }
  Object.assign(globalThis, { benchProbe })
}
