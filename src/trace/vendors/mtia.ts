/** Meta's MTIA. Work carries no correlation of its own; arrows tie some of it to calls. */
import { CALL, copyAs, COPY, DEVICE_SYNC, NAMED_WORK, type Vendor } from './vendor'

export const mtia: Vendor = {
  name: 'MTIA',
  categories: { mtia_runtime: CALL, mtia_ccp_events: NAMED_WORK },
  call: /^(?:runFunction - |enqueueCommand |recordEvent$|synchronizeStream$)/,
  calls: [
    { name: /^synchronizeStream$/, use: 'wait-stream' },
    { name: /^synchronize$/, use: 'wait-device' },
    { name: /^runFunction\b/, use: 'launch' },
    { name: /^recordEvent$/, use: 'record-event' },
  ],
  work: [
    [/^dma_request$/, COPY],
    [/^event_(?:wait|record)$/, DEVICE_SYNC],
  ],
  copyName(name, { kind }) {
    if (name !== 'dma_request') return null
    const [, from, to] = /^(HOST|DEVICE)_TO_(HOST|DEVICE)$/.exec(kind) ?? []
    return from && to ? copyAs(`${from.slice(0, 1)}to${to.slice(0, 1)}`, '', '') : null
  },
}
