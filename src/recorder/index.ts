/** The recorder's public surface; the rest is private to the folder. */
export { selfTestCopyTiming } from './copy-timing'
export type { DeviceFacts } from './devices'
export type { Stamping } from './encoders'
export type { SpanExtra } from './journal'
export { lineInStack } from './lines'
export type { Realm } from './realm'
export { RecordingSession, startRecording, type SessionOptions, type SubmissionTimes } from './session'
export { NO_TAG, type Tag } from './tag'
