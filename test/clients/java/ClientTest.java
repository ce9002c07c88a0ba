import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.CampaignsApi;
import org.openapitools.client.api.ContactRequestsApi;
import org.openapitools.client.model.Campaign;
import org.openapitools.client.model.ContactRequest;
import org.openapitools.client.model.ContactRequestInput;
import org.openapitools.client.model.FieldError;
import org.openapitools.client.model.ServiceError;

/** Uses all six endpoints by the client that openapi-generator generates. */
class ClientTest {
  private static final String URL = System.getenv("SERVICE_URL");

  private final ContactRequestsApi visitor = new ContactRequestsApi(new ApiClient().setBasePath(URL));
  private final ApiClient withToken = new ApiClient().setBasePath(URL);
  private final ContactRequestsApi staff = new ContactRequestsApi(withToken);

  ClientTest() {
    withToken.setApiKey(System.getenv("STAFF_TOKEN"));
  }

  private static ContactRequestInput input(String message) {
    return new ContactRequestInput().email("ada@example.com").message(message);
  }

  private ContactRequest create(ContactRequestInput input) throws ApiException {
    ContactRequest contact = visitor.createContact(input, null);
    // Only the response to a submission has it.
    assertEquals(true, contact.getSuccess());
    return contact.success(null);
  }

  private static ServiceError assertError(int status, ServiceError.ErrorEnum reason, Executable call) throws Exception {
    ApiException exception = assertThrows(ApiException.class, call);
    assertEquals(status, exception.getCode());
    ServiceError error = ServiceError.fromJson(exception.getResponseBody());
    assertEquals(reason, error.getError());
    return error;
  }

  @Test
  void sendsAMessageInAnyScriptAndFieldsOfItsOwn() throws Exception {
    String message = "Zo\u00eb fragt: \u4f60\u597d \ud83d\udc4b\ud83c\udffd\n\t\u05e9\u05dc\u05d5\u05dd";
    ContactRequestInput input = input(message);
    input.putAdditionalProperty("topic", "An order");
    input.putAdditionalProperty("colours", List.of("red", "blue"));
    input.putAdditionalProperty("copies", new BigDecimal(3));
    ContactRequest contact = create(input);
    assertEquals(message, contact.getMessage());
    assertEquals("An order", contact.getExtra().get("topic").getActualInstance());
    assertEquals(List.of("red", "blue"), contact.getExtra().get("colours").getActualInstance());
    assertEquals("3", contact.getExtra().get("copies").getActualInstance());
  }

  @Test
  void sendsAnIdempotencyKey() throws Exception {
    String key = UUID.randomUUID().toString();
    ContactRequest first = visitor.createContact(input("Hello!"), key);
    assertEquals(first, visitor.createContact(input("Hello!"), key));
  }

  @Test
  void getsErrorsWithTheirCodes() throws Exception {
    Executable call = () -> create(input("Hello!").email("nobody"));
    ServiceError error = assertError(400, ServiceError.ErrorEnum.BAD_REQUEST, call);
    List<FieldError.CodeEnum> codes = error.getDetails().stream().map(FieldError::getCode).collect(Collectors.toList());
    assertEquals(List.of(FieldError.CodeEnum.INVALID_EMAIL), codes);
  }

  @Test
  void followsThePagesOfAList() throws Exception {
    // Other tests create contact requests at the same time.
    String campaign = UUID.randomUUID().toString();
    List<ContactRequest> sent = new ArrayList<>();
    for (String message : List.of("One", "Two", "Three")) {
      ContactRequestInput input = input(message);
      input.putAdditionalProperty("campaign", campaign);
      sent.add(create(input));
    }
    List<ContactRequest> read = new ArrayList<>();
    String cursor = null;
    do {
      ApiResponse<List<ContactRequest>> page =
          staff.listContactsWithHttpInfo(2, "desc", cursor, sent.get(0).getCreatedAt(), null, null);
      read.addAll(page.getData());
      String link = String.join("", page.getHeaders().getOrDefault("link", List.of()));
      Matcher next = Pattern.compile("<([^>]+)>; rel=\"next\"").matcher(link);
      cursor = next.find() ? HttpUrl.get(next.group(1)).queryParameter("cursor") : null;
    } while (cursor != null);
    read.removeIf(contact -> !campaign.equals(contact.getCampaign()));
    assertEquals(List.of(sent.get(2), sent.get(1), sent.get(0)), read);
  }

  @Test
  void fetchesAndDeletesAContactRequest() throws Exception {
    ContactRequest contact = create(input("Hello!"));
    assertEquals(contact, staff.getContact(contact.getId()));
    staff.deleteContact(contact.getId());
    assertError(404, ServiceError.ErrorEnum.NOT_FOUND, () -> staff.deleteContact(contact.getId()));
  }

  @Test
  void listsAndFetchesCampaigns() throws Exception {
    CampaignsApi campaigns = new CampaignsApi(withToken);
    Campaign campaign = campaigns.listCampaigns(1, null).get(0);
    assertEquals(campaign, campaigns.getCampaign(campaign.getId()));
  }
}
