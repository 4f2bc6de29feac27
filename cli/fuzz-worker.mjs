/** Starts fuzz-cases.ts in a thread: what a program has registered does not hold for its threads. */
import { register } from 'tsx/esm/api'

register()
await import('./fuzz-cases')
