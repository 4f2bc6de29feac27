/** Texts that go into pages, made from source; the package has them ready (build-cli.mjs). */
import { recorderScript } from '../vite/recorder-file'

/** Sets `recorder`. */
export const recorderText = (): Promise<string> => recorderScript('iife')
