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

export class NextTask {
  readonly #channel = new OwnChannel()
  #isAsked = false

  constructor(run: () => void) {
    this.#channel.port1.onmessage = () => {
      this.#isAsked = false
      run()
    }
  }

  ask(): void {
    if (this.#isAsked) return
    this.#isAsked = true
    post(this.#channel.port2, null)
  }

  /** What was asked for and has not run does not run any more. */
  end(): void {
    close(this.#channel.port1)
  }
}
