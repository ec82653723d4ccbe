export { Combo } from './combo.tsx';
export { Completion, type CompletionOption, optionId } from './completion.tsx';
export { Composer, Dock, NoPost, RestingComposer, type Writing, WritingField } from './composer.tsx';
export { EditForm } from './edit-form.tsx';
export { ChannelRecipient, DirectRecipients, Warning } from './recipients.tsx';
export { FormattingBar, SendBar, type Tool } from './tools.tsx';
export { type ShownUpload, Uploads } from './uploads.tsx';
