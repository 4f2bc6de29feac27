/**
 * Runs inside the measured page, before its own code (a plain script: no imports). It knows nothing of the program that it looks at
 * but a selector and a text, so that both programs are measured by one rule. All times are ms of the page's main thread.
 *
 * Load: from the file input's `change` event until the page says what it shows of the file, and two frames more. Work of a frame: from the wheel event,
 * or the first callback of the frame, to a message posted there. The browser runs callbacks, style, layout and paint in one task, so
 * that message comes after them: the browser's own part is included, waiting for the display is not.
 */
{
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
     * Waits until an element that matches has this text in it, and two frames more, in which it is drawn.
     * @param {string} selector
     * @param {string} text
     * @param {string | null} failure selector of what the page shows instead when it cannot
     * @returns ms from the file's change on
     */
    async shows(selector, text, failure) {
      while (!document.querySelector(selector)?.textContent.includes(text)) {
        const failed = failure === null ? null : document.querySelector(failure)
        if (failed) throw new Error(failed.textContent)
        await oneFrame()
      }
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
