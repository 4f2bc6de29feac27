/** The recorder's public surface; the rest is private to the folder. */
export { selfTestCopyTiming } from './copy-timing'
export type { Stamping } from './encoders'
export { lineInStack } from './lines'
export type { Realm } from './realm'
export { RecordingSession, startRecording } from './session'
