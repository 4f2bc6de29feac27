/** Files that were dropped, and those in dropped folders: a profiler writes one a rank. */

/** Nothing else in a folder is opened: logs, pictures, hidden files. */
const CAN_OPEN = /^[^.].*\.(json|hdl|gz)$/i

/** Items are asked before the first await: they are gone when the event has been handled. */
export const droppedFiles = async ({ items }: DataTransfer): Promise<readonly File[]> =>
  (await Promise.all(Array.from(items, filesOf))).flat()

async function filesOf(item: DataTransferItem): Promise<readonly File[]> {
  const [entry, file] = [item.webkitGetAsEntry(), item.getAsFile()]
  const own = entry && isFolder(entry) ? await filesIn(entry) : []
  // A folder that has none is refused by its name.
  return own.length === 0 && file ? [file] : own
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

async function filesIn(folder: FileSystemDirectoryEntry): Promise<readonly File[]> {
  const reader = folder.createReader()
  const files: File[] = []
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    // They come in portions, the last of which is empty.
    if (entries.length === 0) return files
    for (const entry of entries)
      if (isFile(entry) && CAN_OPEN.test(entry.name))
        files.push(await new Promise<File>((done, fail) => entry.file(done, fail)))
  }
}
