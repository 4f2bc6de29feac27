/** Where a recording is served. The version is for what lies between: a host sends the same file with and without it. */
import { version } from 'virtual:recordings'

/** @param file in public/recordings/ */
export const recordingAddress = (file: string): URL =>
  new URL(`recordings/${file}?v=${version}`, document.baseURI)
