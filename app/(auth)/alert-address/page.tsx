import { titleOf } from "@/app/title-of";
import { AlertAddressScreen } from "@/components/alert-address/alert-address-screen";
import { LanguageSwitch } from "@/components/sign-in/language-switch";

export const generateMetadata = titleOf("alertAddress");

/** The token is in the URL fragment, so only the browser can read what the link is for. */
export default function AlertAddressPage() {
  return (
    <>
      <AlertAddressScreen />
      <LanguageSwitch />
    </>
  );
}
