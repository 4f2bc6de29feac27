/**
 * Runs something once in the event loop’s next task, however often it is asked for until then.
 * Timers would come up to 4 ms later.
 */
import { uncurry } from './intrinsics'

const OwnChannel = MessageChannel
// oxlint-disable-next-line typescript/unbound-method -- unbound on purpose: uncurry() gives it its `this`
const post = uncurry<MessagePort, [unknown], unknown>(MessagePort.prototype.postMessage)
// oxlint-disable-next-line typescript/unbound-method -- likewise
const close = uncurry<MessagePort, [], unknown>(MessagePort.prototype.close)

export function nextTask(run: () => void) {
  const { port1, port2 } = new OwnChannel()
  let isAsked = false
  port1.onmessage = () => {
    isAsked = false
    run()
  }
  return {
    ask: (): void => {
      if (!isAsked) post(port2, null)
      isAsked = true
    },
    /** What was asked for and has not run does not run any more. */
    end: (): void => {
      close(port1)
    },
  }
}
