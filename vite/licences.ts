import type { Plugin } from 'vite'
import { billOfMaterials, licencesText } from './carried-packages'

export const licences = (): Plugin => ({
  name: 'licences',
  apply: 'build',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: await licencesText() })
    this.emitFile({ type: 'asset', fileName: 'bill-of-materials.cdx.json', source: await billOfMaterials() })
  },
})
