// Replies of the bot to messages that may be deleted meanwhile.

export interface Reply {
  readonly reply_parameters: { readonly message_id: number; readonly allow_sending_without_reply: true }
}

/** Makes a new message a reply. If the message that it replies to is deleted, it is sent without a reply instead of being refused. */
export const replyTo = (messageId: number): Reply => ({
  reply_parameters: { message_id: messageId, allow_sending_without_reply: true },
})
