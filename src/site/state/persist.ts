/** Asks the browser to evict nothing of this site when room is short. A refusal is fine: then what is kept is kept as long as there is room. */
export async function askToPersist(): Promise<void> {
  // Not in an insecure context.
  const storage = (navigator as Partial<Navigator>).storage as Partial<StorageManager> | undefined
  try {
    if ((await storage?.persisted?.()) === false) await storage?.persist?.()
  } catch {
    // Blocked with all site data: nothing is kept here then, and that is said.
  }
}
