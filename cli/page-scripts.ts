/** Texts that go into pages, made from source; the package has them ready (build-cli.mjs). */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleModule } from '../vite/bundle-module'
import { recorderScript } from '../vite/recorder-file'

const here = (file: string) => join(import.meta.dirname, file)

/** Sets `recorder`. */
export const recorderText = (): Promise<string> => recorderScript('iife')
/** Sets `makePicture`. */
export const pictureText = (): Promise<string> => bundleModule(here('picture-page.ts'))
export const themeText = (): Promise<string> => readFile(here('../src/site/ui/theme.css'), 'utf8')
