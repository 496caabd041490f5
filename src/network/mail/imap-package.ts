/** Loads the optional package. Fails with `ERR_MODULE_NOT_FOUND` if it is not installed. */
const importImapflow = () => import('imapflow')

/**
 * Loads the package for IMAP.
 *
 * @throws Error that names the package if it is not installed
 */
export const loadImapflow = () =>
  importImapflow().catch((error) => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('Email from a mailbox needs the package imapflow. Install it with: npm install imapflow')
  })
