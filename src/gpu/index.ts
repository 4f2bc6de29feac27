/** The engine's public surface; the rest is private to the folder. */
export { STORAGE, USAGE, type OwnedBuffer } from './buffers'
export { askAdapter, openDevice, type AdapterFacts, type LabDevice } from './device'
export { encodeDispatch, encodePass, type Dispatch, type KernelCall } from './pipelines'
export { readAll, readWords } from './read-words'
export type { Race, Submission } from './queue'
export { RunContext, type DeviceSite, type RunLimits } from './run-context'
