import type { Plugin } from 'vite'
import { writeOffline, writeRemoval } from './write-offline'

/** @param isWanted false: sw.js removes the one that an earlier build has installed */
export const offline = (isWanted: boolean): Plugin => ({
  name: 'offline',
  apply: 'build',
  writeBundle: {
    order: 'post',
    sequential: true,
    async handler({ dir }) {
      if (dir === undefined) throw new Error('The site is built into no folder.')
      await (isWanted ? writeOffline : writeRemoval)(dir)
    },
  },
})
