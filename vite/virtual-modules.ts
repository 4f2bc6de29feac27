/** Modules that are made of data while the site is built, under the names of src/site/ui/virtual.d.ts. */
import type { Plugin } from 'vite'
import { once } from './once'

/** Says which files it read: the module is made anew when one changes. */
type Make = (watch: (file: string) => void) => string | Promise<string>

/** The text of a module that exports these, as JSON. */
export const exported = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    .join('\n')

/** The same, as a plugin answers with it where a file has stood. */
export const dataModule = (values: Readonly<Record<string, unknown>>) =>
  ({ code: exported(values), moduleType: 'js', map: null }) as const

/** @param modules by name, without 'virtual:' */
export function virtualModules(modules: Readonly<Record<string, Make>>): Plugin {
  const names = Object.keys(modules)
  const all = names.join('|')
  return {
    name: `virtual:${names[0] ?? ''}`,
    resolveId: { filter: { id: new RegExp(`^virtual:(${all})$`) }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: new RegExp(`^\0virtual:(${all})$`) },
      async handler(id) {
        const { text, files } = await once(id, async () => {
          const read = new Set<string>()
          const made = await modules[id.replace(/^.*:/, '')]?.((file) => read.add(file))
          return { text: made, files: read }
        })
        for (const file of files) this.addWatchFile(file)
        return text
      },
    },
  }
}
