/** MessageChannel of the model: between ranks of one thread. A message is taken to take as long as one to the GPU process, its bytes as long as a copy. */
import type { Machine } from './machine'

interface Port {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  readonly postMessage: (data: unknown, transfer?: readonly ArrayBuffer[]) => void
  readonly close: () => void
}

export const channelOf = ({
  card,
  clock,
}: Machine): new () => { readonly port1: Port; readonly port2: Port } =>
  class {
    readonly port1: Port
    readonly port2: Port
    constructor() {
      let isOpen = true
      const portTo = (other: () => Port): Port => ({
        onmessage: null,
        postMessage: (data, transfer = []) => {
          const bytes = transfer.reduce((sum, { byteLength }) => sum + byteLength, 0)
          clock.task(clock.now + card.process.messageNs + bytes / card.host.fillRate, () => {
            if (isOpen) other().onmessage?.({ data })
          })
        },
        close: () => {
          isOpen = false
        },
      })
      this.port1 = portTo(() => this.port2)
      this.port2 = portTo(() => this.port1)
    }
  }
