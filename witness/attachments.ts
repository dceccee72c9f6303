/** Bodies that a recorder writes beside an HTTP Archive, such as Playwright with `content: 'attach'`: an entry names them as `_file`. */
import { readFileBytes } from '../files/read.ts';
import { isObject } from '../helpers/answer.ts';

/** Size limit in MiB of an attachment. */
export const MOST_ATTACHMENT_MIB = 32;

/** Gives the bytes of an attachment; undefined where there is none of this name. */
export type Attachments = (name: string) => Promise<Buffer | undefined>;

/** Names of attachments: none leads elsewhere. */
const NAME = /^(?!\.)[\w.-]{1,255}$/;

/** Those in the directory of an archive. @param pathOf the path of a name */
export const besideFile =
  (pathOf: (name: string) => string): Attachments =>
  async (name) => {
    try {
      return readFileBytes(pathOf(name), MOST_ATTACHMENT_MIB);
    } catch {
      return undefined;
    }
  };

/** An entry with the bodies that it only names; those that are not there stay left out. */
export async function withAttachments(entry: unknown, attachments: Attachments): Promise<unknown> {
  if (!isObject(entry)) return entry;
  const { request, response } = entry;
  const [postData, content] = [memberOf(request, 'postData'), memberOf(response, 'content')];
  if (!isNamed(postData) && !isNamed(content)) return entry;
  return {
    ...entry,
    request: isNamed(postData) ? { ...Object(request), postData: await filled(postData, attachments) } : request,
    response: isNamed(content) ? { ...Object(response), content: await filled(content, attachments) } : response,
  };
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const isNamed = (body: unknown): body is { _file: string } =>
  isObject(body) && typeof body._file === 'string' && NAME.test(body._file);

async function filled(body: { _file: string }, attachments: Attachments): Promise<object> {
  const bytes = await attachments(body._file);
  return bytes ? { ...body, text: bytes.toString('base64'), encoding: 'base64' } : body;
}
