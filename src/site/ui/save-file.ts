/** Bytes as a download, made in the page: nothing is sent anywhere. */
export function saveFile(name: string, parts: BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The click has started the download; the page may let go once it has been read.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
