/**
 * Runs something once in the event loop’s next task, however often it is asked for until then.
 * Timers would come up to 4 ms later.
 */
export function nextTask(run: () => void) {
  const { port1, port2 } = new MessageChannel()
  let isAsked = false
  port1.onmessage = () => {
    isAsked = false
    run()
  }
  return {
    ask: (): void => {
      if (!isAsked) port2.postMessage(null)
      isAsked = true
    },
    /** What was asked for and has not run does not run any more. */
    end: (): void => {
      port1.close()
    },
  }
}
